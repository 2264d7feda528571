"""The story of a turn: records in the order in which things happened, and the numbers behind them."""
