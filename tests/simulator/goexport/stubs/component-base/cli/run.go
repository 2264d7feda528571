package cli

type Command struct{}

func Run(cmd *Command) int { return 0 }
