"""The inbox: queues of reviews, and which queue a review is in."""
