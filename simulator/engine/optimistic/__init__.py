"""Several schedulers at once on copies of the cluster, and one binder that finds their conflicts (Gödel's idea)."""
