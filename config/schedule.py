"""What runs by itself, and how often in seconds.

Offers, not orders: each task looks into the database for what is due, so that a lost, late or
doubled offer changes nothing.
"""

SCHEDULE: dict[str, dict[str, object]] = {
    # Finds what a lost notification left behind; this bounds the delay that a dead broker costs.
    "mirror-work": {"task": "mirror.tasks.work", "schedule": 2.0},
    "mirror-advance": {"task": "mirror.tasks.advance", "schedule": 5.0},
    "outbox-work": {"task": "outbox.tasks.work", "schedule": 2.0},
    "accounts-mail": {"task": "accounts.tasks.send_mails", "schedule": 10.0},
    # One look at a small table: until then, a code could be derived from the seed.
    "accounts-recovery-codes": {"task": "accounts.tasks.hash_recovery_codes", "schedule": 10.0},
    # Compares the recent past with the service; the task itself keeps the distance of an hour.
    "mirror-sweep": {"task": "mirror.tasks.sweep", "schedule": 300.0},
    # Hourly, so that a day's announcements go in small deletions.
    "live-delete-old": {"task": "live.tasks.delete_old", "schedule": 3600.0},
    # Finds what a lost notification left behind, quiet hours held back or a push service refused.
    "live-pushes": {"task": "live.tasks.send_pushes", "schedule": 10.0},
    # Days whose numbers changed since. A page about weeks may be seconds behind.
    "insights-count": {"task": "insights.tasks.count_marked", "schedule": 5.0},
    # After an upgrade with other word lists all notes are read again. Else one small query.
    "insights-word-lists": {"task": "insights.tasks.read_notes_again", "schedule": 30.0},
    # Heals what changed past the mirror, such as an erasure.
    "insights-recent": {"task": "insights.tasks.count_recent", "schedule": 43200.0},
    # Once a night for each restaurant, when its own service day is over. Else one small query.
    "insights-forecasts": {"task": "insights.tasks.train_forecasts", "schedule": 60.0},
    # Hourly, so that an installation that was down on Monday still sends the week's mail.
    "insights-digests": {"task": "insights.tasks.send_digests", "schedule": 3600.0},
    # A row that was parked for a passing reason is due after an hour.
    "mirror-repair": {"task": "mirror.tasks.repair", "schedule": 30.0},
    # The copy grows, and what SQLite knows of the size of its tables ages.
    "mirror-indexes": {"task": "mirror.tasks.count_indexes", "schedule": 3600.0},
    # Comparisons of a month ago. Hourly, because one of each account is made every hour.
    "mirror-delete-old": {"task": "mirror.tasks.delete_old", "schedule": 3600.0},
    # Names and addresses of people who never answered.
    "restaurants-invitations": {
        "task": "restaurants.tasks.delete_expired_invitations",
        "schedule": 3600.0,
    },
    # Superusers' next requests end theirs too; this one ends open screens, mails and push messages.
    "restaurants-emergency-access": {
        "task": "restaurants.tasks.end_emergency_access",
        "schedule": 30.0,
    },
    # A corrected time zone moves bookings to other days. The setup page offers this at once; here
    # come corrections from elsewhere, and the second look that each needs.
    "restaurants-service-days": {
        "task": "restaurants.tasks.recompute_service_days",
        "schedule": 30.0,
    },
    # Hourly, so that a restaurant whose first evenings were just read gets its late alerts.
    "reservations-arrival-tracking": {
        "task": "reservations.tasks.measure_arrival_tracking",
        "schedule": 3600.0,
    },
    # Each restaurant once a day; hourly, so that what a stopped worker left is done soon.
    "reservations-learnt-stays": {"task": "reservations.tasks.learn_stays", "schedule": 3600.0},
    # After an upgrade with other word lists. Else a look at the bookings of ten days.
    "reservations-unread-notes": {
        "task": "reservations.tasks.read_unread_notes",
        "schedule": 600.0,
    },
    # What was marked on bookings goes with its service day.
    "reservations-past-host-marks": {
        "task": "reservations.tasks.delete_past_host_marks",
        "schedule": 3600.0,
    },
    # A minute is what a target time of days may be late.
    "reviews-inbox": {"task": "reviews.tasks.update_inbox", "schedule": 60.0},
    # Reads each number and address once; nobody waits for a suggestion.
    "customers-duplicates": {"task": "customers.tasks.measure_duplicates", "schedule": 10800.0},
    # The retention clock of the guests.
    "customers-purge": {"task": "customers.tasks.purge", "schedule": 3600.0},
    # Reads the whole history, and a guest who stays away is no news by the hour.
    "reservations-returning-guests": {
        "task": "reservations.tasks.measure_returning_guests",
        "schedule": 21600.0,
    },
    # “At once” for people; one look at an index when nothing is new.
    "reviews-alerts": {"task": "reviews.tasks.send_alerts", "schedule": 10.0},
    # Finds what no event announced. After a long stop one run is enough, not hundreds.
    "webhooks-route": {"task": "webhooks.tasks.route", "schedule": 2.0, "options": {"expires": 10}},
    "webhooks-delete-old": {"task": "webhooks.tasks.delete_old", "schedule": 3600.0},
    "phone-delete-old": {"task": "phone.tasks.delete_old", "schedule": 3600.0},
    # What came before its restaurant was set up. Else one look at an index.
    "webhooks-placed": {"task": "webhooks.tasks.route_placed", "schedule": 30.0},
}
