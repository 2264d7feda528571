"""Jobs: work too long for a request, with progress, cancel, and nothing lost when a process dies.

    @job("simulator.run_to_idle", title=_("Run to idle"), messages={"cycle": _("Cycle %(cycle)s")})
    def run_to_idle(context: JobContext, *, lab_id: int) -> dict[str, Any]:
        for cycle in cycles:
            context.progress(cycle, total, "cycle", cycle=cycle)
        return {"head": head}

    run = enqueue("simulator.run_to_idle", owner=actor, params={"lab_id": lab.pk}, topic=f"lab:{lab.pk}")

The Run row comes first, in the caller's transaction; the queue only carries its id. A worker takes the row by a lease
that its heartbeat renews; a run whose lease runs out is taken again, so a job must be able to start over.
"""
