package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.internal.engine.Decision;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.StartGate;
import io.ojs.internal.engine.Transitions;
import io.ojs.job.Job;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * Combines the gates of all features: a job starts if no gate refuses it.
 */
final class JdbcStartGate implements StartGate {

	private final StoreDatabase database;

	private final List<StartGate> gates;

	JdbcStartGate(StoreDatabase database, Instant now) {
		this.database = database;
		this.gates = database.features().stream().flatMap((feature) -> feature.gate(now).stream()).toList();
	}

	@Override
	public void lock(Map<JobRow, Job> jobs) {
		this.gates.forEach((gate) -> gate.lock(jobs));
	}

	@Override
	public boolean lockMore(Map<JobRow, Job> jobs, Set<String> locked) {
		return this.gates.stream().allMatch((gate) -> gate.lockMore(jobs, locked));
	}

	@Override
	public @Nullable Decision refuse(JobRow row, Job job, HandledJobs handled, Transitions transitions) {
		for (StartGate gate : this.gates) {
			Decision refusal = gate.refuse(row, job, handled, transitions);
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	@Override
	public boolean isLimited(JobRow row, Job job) {
		return this.gates.stream().anyMatch((gate) -> gate.isLimited(row, job));
	}

	@Override
	public void save(Collection<JobRow> started) {
		this.gates.forEach((gate) -> gate.save(started));
		new Turns(this.database).follow(List.copyOf(started));
	}

}
