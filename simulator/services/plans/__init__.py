"""What somebody's edit means as a command: functions of the edit that give a plan, a function of the newest frame.

`lab_plan` carries a plan out. A plan raises `BadInput` where the edit makes no sense in that state.
"""
