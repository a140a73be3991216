package io.ojs.internal.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs and records outcomes, on rows of any {@link JobTable}.
 */
public final class AttemptEngine implements AttemptStore {

	private final JobTable table;

	public AttemptEngine(JobTable table) {
		this.table = table;
	}

	@Override
	public List<@Nullable Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
		return this.table.write("claim jobs", () -> new Claiming(this.table, requests, worker, now, takeOver).run());
	}

	@Override
	public <T> T telling(Supplier<T> work) {
		return this.table.telling(work);
	}

	@Override
	public List<@Nullable Boolean> settle(List<? extends Outcome> outcomes, Instant now) {
		return this.table.write("record how jobs ended", () -> {
			List<UUID> ids = ids(outcomes);
			Map<UUID, JobRow> free = this.table.lockFree(ids, false);
			Set<UUID> locked = this.table.known(ids.stream().filter((id) -> !free.containsKey(id)).toList());
			Set<Lease> valid = settle(outcomes, free, now);
			List<@Nullable Boolean> answers = new ArrayList<>(outcomes.size());
			for (Outcome outcome : outcomes) {
				boolean isLocked = JobRow.id(outcome.lease().jobId()).filter(locked::contains).isPresent();
				answers.add(isLocked ? null : (Boolean) valid.contains(outcome.lease()));
			}
			return answers;
		});
	}

	@Override
	public boolean settle(Outcome outcome, Instant now) {
		List<Outcome> alone = List.of(outcome);
		return !this.table.write("record how a job ended", () -> settle(alone, this.table.lock(ids(alone), false), now))
			.isEmpty();
	}

	private static List<UUID> ids(List<? extends Outcome> outcomes) {
		return outcomes.stream().flatMap((outcome) -> JobRow.id(outcome.lease().jobId()).stream()).toList();
	}

	private Set<Lease> settle(List<? extends Outcome> outcomes, Map<UUID, JobRow> rows, Instant now) {
		Transitions transitions = this.table.transitions(now);
		Set<Lease> valid = new HashSet<>();
		for (Outcome outcome : outcomes) {
			JobRow row = JobRow.id(outcome.lease().jobId()).map(rows::get).orElse(null);
			if (row != null && row.state == JobState.ACTIVE && row.run == outcome.lease().run()) {
				transitions.settle(row, outcome);
				valid.add(outcome.lease());
			}
		}
		this.table.save(transitions);
		return valid;
	}

	@Override
	public List<StoredJob> reap(Instant now, int limit) {
		return this.table.write("look for lost runs", () -> {
			Collection<JobRow> rows = this.table.lockLost(now, limit);
			this.table.extendLeases(rows, now);
			Transitions transitions = this.table.transitions(now);
			for (JobRow row : rows) {
				if (this.table.isHandedOver(row.queue)) {
					transitions.handBack(row);
				}
				else if (transitions.lose(row)) {
					transitions.release(row, Times.micros(now));
				}
			}
			this.table.save(transitions);
			return rows.stream().map(this.table.codec()::stored).toList();
		});
	}

}
