"""From codes and values to sentences and page parts."""
