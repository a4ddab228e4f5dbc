"""Who answers a review; archived reviews."""
