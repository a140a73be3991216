package io.ojs.internal.bulk;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An operation on many jobs, and how far it is. Immutable; each method that changes
 * something returns a changed copy.
 *
 * @param id a UUID; later operations have larger ones
 * @param tenant the tenant whose jobs it changes; {@code null} if an operator has asked
 * for it
 * @param by the name of the caller that has asked for it
 * @param progress what it has done
 * @param problem why it failed; {@code null} if it did not
 * @param process the process that works on it, or did last; {@code null} before any has,
 * and in the pauses of a replay with a rate
 * @param leaseUntil until when no other process takes it, or until when it pauses
 * @param updatedAt when it changed last
 */
public record BulkOperation(String id, BulkAction action, BulkState state, BulkRequest request, @Nullable String tenant,
		@Nullable String by, Progress progress, @Nullable String problem, @Nullable String process, Instant leaseUntil,
		Instant createdAt, @Nullable Instant startedAt, @Nullable Instant endedAt, Instant updatedAt) {

	/** How many jobs that were left out are named. */
	public static final int EXAMPLES = 20;

	/** A new operation, which any process may begin. */
	public static BulkOperation of(String id, BulkAction action, BulkRequest request, @Nullable String tenant,
			String by, Progress progress, Instant now) {
		return new BulkOperation(id, action, BulkState.WAITING, request, tenant, by, progress, null, null, now, now,
				null, null, now);
	}

	/** The process has it until the end of the lease. */
	public BulkOperation taken(String by, Instant now, Instant until) {
		return new BulkOperation(this.id, this.action,
				(this.state == BulkState.WAITING) ? BulkState.RUNNING : this.state, this.request, this.tenant, this.by,
				this.progress, this.problem, by, until, this.createdAt, (this.startedAt != null) ? this.startedAt : now,
				this.endedAt, now);
	}

	/** It has done more, and the process has it until the end of the lease. */
	BulkOperation at(Progress value, Instant now, Instant until) {
		return new BulkOperation(this.id, this.action, this.state, this.request, this.tenant, this.by, value,
				this.problem, this.process, until, this.createdAt, this.startedAt, this.endedAt, now);
	}

	/** It has done more. Any process goes on at a time. */
	BulkOperation pausing(Progress value, Instant now, Instant until) {
		return new BulkOperation(this.id, this.action, this.state, this.request, this.tenant, this.by, value,
				this.problem, null, until, this.createdAt, this.startedAt, this.endedAt, now);
	}

	/** It has ended. */
	BulkOperation ended(BulkState end, @Nullable String why, Instant now) {
		return new BulkOperation(this.id, this.action, end, this.request, this.tenant, this.by, this.progress, why,
				this.process, this.leaseUntil, this.createdAt, this.startedAt, now, now);
	}

	/** It is to stop: at once if no process works on it, or else after the batch. */
	BulkOperation stopping(Instant now) {
		return switch (this.state) {
			case WAITING -> ended(BulkState.STOPPED, null, now);
			case RUNNING -> (this.process == null) ? ended(BulkState.STOPPED, null, now)
					: new BulkOperation(this.id, this.action, BulkState.STOPPING, this.request, this.tenant, this.by,
							this.progress, this.problem, this.process, this.leaseUntil, this.createdAt, this.startedAt,
							this.endedAt, now);
			default -> this;
		};
	}

	/**
	 * What an operation has done.
	 *
	 * @param position where it goes on; {@code null} at the beginning
	 * @param matched the number of jobs that it meant when it was asked for
	 * @param complete whether these were all; otherwise the counting was cut off
	 * @param done the number of jobs that it has changed
	 * @param failed the number of jobs that it could not change
	 * @param skipped the number of jobs that it has left out, by reason
	 * @param errors the first jobs that it has not changed
	 */
	public record Progress(@Nullable String position, long matched, boolean complete, long done, long failed,
			Map<String, Long> skipped, List<Unchanged> errors) {

		public Progress {
			skipped = Map.copyOf(skipped);
			errors = List.copyOf(errors);
		}

		/** That of an operation that has not begun. */
		public static Progress of(long matched, boolean complete) {
			return new Progress(null, matched, complete, 0, 0, Map.of(), List.of());
		}

	}

	/**
	 * A job that an operation has not changed.
	 */
	public record Unchanged(String jobId, String problem) {
	}

}
