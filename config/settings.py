"""All settings of Couvert, read from the environment (and from `.env` if present).

The defaults make a clone run on one machine without any server. `docs/configuration.md`
has the table of every variable.
"""

import logging
import os
import tomllib
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config.monitoring.logs import logging_for
from config.requests.content_policy import CONTENT_SECURITY_POLICY  # noqa: F401  # read by its middleware
from config.requests.middleware import MIDDLEWARE  # noqa: F401  # read by Django
from config.schedule import SCHEDULE

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
ENV_PATH = Path(env.str("ENV_FILE", default=str(BASE_DIR / ".env")))
env.read_env(str(ENV_PATH))

VERSION: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]

# --- The machine -----------------------------------------------------------------------------

# Files hold guests' data: they are readable only by the user of this process.
os.umask(0o077)
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    raise ImproperlyConfigured("SECRET_KEY is not set. `make setup` writes one into .env.")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# Of digests that are stored and cannot be computed again: once made, it stays.
DIGEST_KEY = env.str("DIGEST_KEY", default=SECRET_KEY) or SECRET_KEY
# Fernet keys for the secrets at rest, newest first. `manage.py rotate_keys` re-encrypts.
ENCRYPTION_KEYS = env.list("ENCRYPTION_KEYS", default=[])

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# The address that people and the upstream service reach us at; used in mails and webhook URLs.
PUBLIC_URL = env.str("PUBLIC_URL", default="http://127.0.0.1:8000").rstrip("/")

# --- Apps ------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "insights",
    "phone",
    "pos",
    "reviews",
    "reservations",
    "customers",
    "webhooks",
    "outbox",
    "mirror",
    "live",
    "restaurants",
    "accounts",
    "partner",
    "lib",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "auditlog",
    "csp",
    "django_htmx",
    "django_structlog",
    "template_partials",
    "accounts.admin_config.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

# Templates of ours are freed of indentation, those of libraries are read as they are.
CACHED_TEMPLATES = (
    "django.template.loaders.cached.Loader",
    ["lib.web.template_engine.Loader", "django.template.loaders.app_directories.Loader"],
)
TEMPLATES = [
    {
        "NAME": "django",
        "BACKEND": "lib.web.template_engine.Templates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", [CACHED_TEMPLATES])],
            "builtins": [
                "template_partials.templatetags.partials",
                "lib.templatetags.csrf",
                "lib.templatetags.dates",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "restaurants.context_processors.shell",
            ],
        },
    }
]

# --- Database --------------------------------------------------------------------------------

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR}/couvert.sqlite3")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # FULL, because NORMAL in WAL may lose the last acknowledged webhook on power loss.
    # IMMEDIATE, because a deferred transaction that upgrades to a write fails as "locked".
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA temp_store=MEMORY;"
            "PRAGMA cache_size=-8000"
        ),
    }
    DATABASES["default"]["CONN_MAX_AGE"] = 60
else:
    # A pool, because 2 x 192 web threads would otherwise open a connection each.
    DATABASES["default"]["OPTIONS"] = {
        **DATABASES["default"].get("OPTIONS", {}),
        "pool": {"min_size": 2, "max_size": env.int("DATABASE_POOL", default=16), "timeout": 5},
        "connect_timeout": 2,
    }
    DATABASES["default"]["CONN_MAX_AGE"] = 0
# The database itself, where DATABASE_URL leads to a pooler in transaction mode. What needs a
# session of its own goes there; everything else keeps nothing in its session.
DATABASE_DIRECT = (
    env.db_url("DATABASE_DIRECT_URL") if env.str("DATABASE_DIRECT_URL", default="") else None
)
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = DATABASE_DIRECT is not None
# Insights and exports are read there (lib/database/replica.py).
if env.str("DATABASE_REPLICA_URL", default=""):
    replica = env.db_url("DATABASE_REPLICA_URL")
    options = {**DATABASES["default"]["OPTIONS"], **replica.get("OPTIONS", {})}
    # One that a network cut off without a word must cost a page seconds, not minutes.
    options |= {"tcp_user_timeout": 2000, "keepalives_idle": 2, "keepalives_interval": 1}
    options["pool"] = {**options["pool"], "timeout": 2}
    DATABASES["replica"] = DATABASES["default"] | replica | {"OPTIONS": options}
    DATABASE_ROUTERS = ["lib.database.replica.ReplicaRouter"]
# Seconds that a page waits for the replica to catch up, before it is read from the primary.
REPLICA_WAIT = env.float("DATABASE_REPLICA_WAIT", default=0.3)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache: shared by all processes, because the sign-in throttle lives in it --------------------

CACHES = {
    "default": env.cache("CACHE_URL", default="dbcache://couvert_cache"),
    # What `{% cache %}` keeps of the frame of every page. Each process draws its own: nothing is
    # invalidated, because the facts that a fragment shows are all in its key.
    "template_fragments": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "template-fragments",
        "OPTIONS": {"MAX_ENTRIES": 1000},
    },
}

# --- People ----------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "accounts.backends.SignInBackend",
    "restaurants.access.MembershipBackend",  # turns memberships into permissions
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.sign_in.passwords.GuessableValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 3600

# Roles whose people must have a second factor: staff, manager, admin.
MFA_REQUIRED_ROLES = env.list("MFA_REQUIRED_ROLES", default=[])

ACCOUNT_REAUTHENTICATION_TIMEOUT = 600  # seconds for which a confirmation holds
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")  # no code by mail: it may be open beside
ACCOUNT_ADAPTER = "accounts.sign_in.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.SignInForm",
    "reset_password": "accounts.forms.ResetForm",
    "reset_password_from_key": "accounts.forms.PasswordOfLinkForm",
    "change_password": "accounts.forms.NewPasswordForm",
    "reauthenticate": "accounts.forms.ConfirmedPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"  # an admin typed it, and the invitation went there
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Couvert: "
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True  # for SESSION_COOKIE_AGE; never a choice of the visitor
ACCOUNT_DEFAULT_HTTP_PROTOCOL = PUBLIC_URL.partition(":")[0]
# Wrong sign-ins, PINs aside: 5 in 5 minutes for an account and a source (known_devices.py), 10 a
# minute for an address, and 50 tries an hour for an account from all unknown browsers together. So
# guessing from many addresses gets nowhere and locks nobody out of their own browser. The cache
# counts them, so it must be shared by all processes.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "10/m/ip,5/5m/key",
    "login_elsewhere": "50/h/key",
    # What one person takes out (quotas.py).
    "export": "60/h/user",
    "reveal": "300/h/user",
    "push_test": "30/h/user",  # messages to try a device
}
# How many proxies stand in front: only their X-Forwarded-For is trusted.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int(
    "TRUSTED_PROXIES", default=1 if env.bool("BEHIND_PROXY", default=False) else 0
)

MFA_ADAPTER = "accounts.sign_in.adapters.MfaAdapter"
MFA_FORMS = {
    "authenticate": "accounts.forms.CodeForm",
    "reauthenticate": "accounts.forms.CodeAgainForm",
    "add_webauthn": "accounts.forms.PasskeyForm",
    "edit_webauthn": "accounts.forms.PasskeyNameForm",
}
MFA_RECOVERY_CODES_SHOW_ONCE = True  # afterwards there are only hashes of them
USERSESSIONS_ADAPTER = "accounts.sign_in.adapters.SessionsAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # no address is verified here: people are invited
MFA_TOTP_ISSUER = "Couvert"

# --- Web -------------------------------------------------------------------------------------

# Off only for a machine that is reached by plain http (the demo on loopback).
HTTPS_ONLY = env.bool("HTTPS_ONLY", default=not DEBUG)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS_ONLY
SESSION_COOKIE_NAME = "__Host-session" if HTTPS_ONLY else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS_ONLY else "csrf"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True  # pages carry the token themselves
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.requests.refusals.without_token"
SESSION_ENGINE = "accounts.sign_in.sessions"
# Messages name guests and colleagues: in a cookie of their own they would outlive the sign-in, and
# whoever signs in next would read them.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SESSION_COOKIE_AGE = env.int("SESSION_HOURS", default=12) * 3600
# Minutes without a person's doing after which a sign-in ends; 0 leaves it to SESSION_HOURS.
SESSION_IDLE_MINUTES = env.int("SESSION_IDLE_MINUTES", default=0)
KNOWN_DEVICE_COOKIE_NAME = "__Host-known-device" if HTTPS_ONLY else "known-device"
PUSH_DEVICE_COOKIE_NAME = "__Host-push-device" if HTTPS_ONLY else "push-device"
OFFLINE_DEVICE_COOKIE_NAME = "__Host-offline-device" if HTTPS_ONLY else "offline-device"
SECURE_SSL_REDIRECT = HTTPS_ONLY
# The receiver and the probes must answer themselves: the sender of events follows no redirect. A
# calendar program would follow one for years, its token in clear each time; it is refused instead.
SECURE_REDIRECT_EXEMPT = [r"^webhooks/", r"^phone/calls/$", r"^health/", r"^metrics$", r"\.ics$"]
SECURE_HSTS_SECONDS = 31536000 if HTTPS_ONLY else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS_ONLY
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
APPEND_SLASH = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)  # whitenoise warns about a folder that is not there yet
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site builds on our files
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "lib.web.style_sheets.JoinedStaticFilesStorage"
    },
}

# Open screens per web process; each holds one thread of the server, so it must have more threads
# than this. A screen beyond them polls.
LIVE_STREAMS = env.int("LIVE_STREAMS", default=140)

# After so long without a heartbeat, beat and the workers count as stopped: pages show it within
# twice this time, and other processes do urgent work. A restart takes less.
STANDSTILL_SECONDS = env.int("STANDSTILL_SECONDS", default=30)

# --- Words and time --------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fr", _("French")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")

# --- Celery: the reasons stand in config/celery.py ------------------------------------------------

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="durablefiles://")
CELERY_BEAT_SCHEDULE = SCHEDULE

# --- The mirror, and how long guests are kept ------------------------------------------------

# Reads under way at the same time in one worker process.
MIRROR_CONNECTIONS = env.int("MIRROR_CONNECTIONS", default=32)
# A listing is suspicious if it names less than this share of what the copy holds of its days, and
# so many fewer. A share of 0 trusts every list.
MIRROR_SHORT_LIST_PERCENT = env.int("MIRROR_SHORT_LIST_PERCENT", default=50)
MIRROR_SHORT_LIST_MISSING = env.int("MIRROR_SHORT_LIST_MISSING", default=20)

# Guests who were not seen for this long are erased here. 0 keeps them as long as the service does.
GUEST_RETENTION_MONTHS = env.int("GUEST_RETENTION_MONTHS", default=0)
# More in a day, and more than this share of all guests, are erased only after a confirmation.
GUEST_PURGE_LIMIT = env.int("GUEST_PURGE_LIMIT", default=50)
GUEST_PURGE_PERCENT = env.int("GUEST_PURGE_PERCENT", default=1)

# --- Mail and the service --------------------------------------------------------------------

vars().update(env.email("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 10  # a mail server that does not answer must not hold a worker
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="couvert@localhost")

# Allow base addresses in private networks (a test double on the same host, for instance).
PARTNER_ALLOW_PRIVATE = env.bool("PARTNER_ALLOW_PRIVATE", default=False)
# Allow them on this very machine: the demo's sandbox, never in production.
PARTNER_ALLOW_LOOPBACK = env.bool(
    "PARTNER_ALLOW_LOOPBACK", default=PARTNER_ALLOW_PRIVATE or not HTTPS_ONLY
)
# Neutral word of the contract = real word (fields, scopes, channels, milestones).
PARTNER_NAMES: dict[str, str] = env.dict("PARTNER_NAMES", default={})
# Who the partner's engineers may write to; part of the User-Agent.
PARTNER_CONTACT = env.str("PARTNER_CONTACT", default=PUBLIC_URL)

# The push services of browsers: messages go to these hosts and those below them, and to no other
# that a browser names. An empty list switches push messages off.
PUSH_HOSTS = env.list(
    "PUSH_HOSTS",
    default=[
        "fcm.googleapis.com",
        "push.services.mozilla.com",
        "push.apple.com",
        "notify.windows.com",
    ],
)

# --- Load tests and the demo -----------------------------------------------------------------

# Allow made-up history in the database (DEBUG allows it too). Never set where guests are real.
BENCH = env.bool("BENCH", default=False)

# The sandbox's address, set by `make run`: every page then shows that its data is made up.
DEMO_SANDBOX = env.str("DEMO_SANDBOX", default="")

# --- Events and calls ------------------------------------------------------------------------

# Seconds for a body to arrive; the sender's are a few hundred bytes.
WEBHOOK_BODY_SECONDS = env.float("WEBHOOK_BODY_SECONDS", default=5.0)
WEBHOOK_KEEP_DAYS = env.int("WEBHOOK_KEEP_DAYS", default=30)  # received bytes, once dealt with
# Unknown entities accepted per minute and token: what a leaked address could
# cost. What is over the limit waits; it is not dropped.
WEBHOOK_UNKNOWN_PER_MINUTE = env.int(
    "WEBHOOK_UNKNOWN_PER_MINUTE",
    default=env.int("WEBHOOK_STRANGERS_PER_MINUTE", default=3000),  # its former name
)

CALL_KEEP_DAYS = env.int("CALL_KEEP_DAYS", default=90)  # a call and its number in the log

# --- Observation -----------------------------------------------------------------------------

LOGGING = logging_for(
    json=env.bool("LOG_JSON", default=not DEBUG), level=env.str("LOG_LEVEL", "INFO")
)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# Periodic tasks start and end all day long; each logs its own outcome.
DJANGO_STRUCTLOG_CELERY_TASK_START_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_CELERY_TASK_SUCCESS_LOG_LEVEL = logging.DEBUG
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# Where the web processes of this machine add up their figures; read when the library is imported.
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(VAR_DIR / "metrics"))
(VAR_DIR / "metrics").mkdir(exist_ok=True)
SENTRY_DSN = env.str("SENTRY_DSN", default="")
if SENTRY_DSN:
    from config.monitoring import reports  # its library takes 2 MiB of every process

    reports.start(SENTRY_DSN)
