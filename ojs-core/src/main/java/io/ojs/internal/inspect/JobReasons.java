package io.ojs.internal.inspect;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.JobState;
import io.ojs.store.internal.relay.StoreDelivery;
import org.jspecify.annotations.Nullable;

/**
 * Explains in words why a job does not run.
 */
public final class JobReasons {

	/** The relay waits longer only for jobs that workers fetch. */
	private static final Duration LONGEST_GRACE = Duration.ofHours(2);

	private final InspectionStore store;

	private final LimitLines limits;

	private final Takers takers;

	private final WaitingSteps steps;

	private final StoreDelivery delivery;

	private final BrokerSight broker;

	private final Clock clock;

	public JobReasons(InspectionStore store, LimitLines limits, Takers takers, WaitingSteps steps,
			StoreDelivery delivery, BrokerSight broker, Clock clock) {
		this.store = store;
		this.limits = limits;
		this.takers = takers;
		this.steps = steps;
		this.delivery = delivery;
		this.broker = broker;
		this.clock = clock;
	}

	/**
	 * Explains why a job does not run.
	 * @param tenant the tenant that asks: the answer has no names of processes, workers
	 * and operators, and counts no jobs of other tenants, except those that run under a
	 * limit that the tenants share; {@code null} for operators
	 * @return the explanation; empty if there is no such job, or the tenant may not see
	 * it
	 */
	public Optional<Explanation> of(String jobId, @Nullable String tenant) {
		Instant now = this.clock.instant();
		return this.store.situation(jobId, tenant)
			.map((job) -> new Explanation(jobId, job.row().state, now, reasons(job, tenant == null, now)))
			.or(() -> this.steps.waitingStep(jobId, tenant)
				.map((step) -> new Explanation(jobId, null, now, List.of(WaitReasons.of(step, now)))));
	}

	private List<Reason> reasons(JobSituation job, boolean operator, Instant now) {
		JobRow row = job.row();
		return switch (row.state) {
			case ACTIVE -> RunReasons.of(job, operator, now);
			case COMPLETED, CANCELLED, DISCARDED, HANDED_OVER -> EndReasons.of(job, now);
			case PENDING -> List
				.of(new Reason("pending", "Waits until a caller activates it.", row.createdAt, null, Words.facts()));
			case SCHEDULED, RETRYABLE -> later(job, operator, now);
			case AVAILABLE -> start(job, operator, now);
		};
	}

	private List<Reason> later(JobSituation job, boolean operator, Instant now) {
		JobRow row = job.row();
		boolean due = row.dueAt != null && !row.dueAt.isAfter(now);
		List<Reason> reasons = new ArrayList<>();
		if (isExpired(row, now)) {
			reasons.add(EndReasons.expires(row, now));
		}
		reasons.add((row.state == JobState.SCHEDULED) ? WaitReasons.scheduled(row, now) : WaitReasons.retry(job, now));
		reasons.addAll(WaitReasons.pause(job, operator, now));
		if (due) {
			reasons.addAll(broker(operator, now));
			reasons.addAll(WaitReasons.workers(row, this.takers.of(row, now), this.delivery.delivers(row.queue), now));
			reasons.add((row.relayAt != null && !row.relayAt.isAfter(now)) ? WaitReasons.notPublished(row, now)
					: WaitReasons.atBroker(job, row.dueAt, now));
		}
		return reasons;
	}

	/** Explains why an available job has not started. */
	private List<Reason> start(JobSituation job, boolean operator, Instant now) {
		JobRow row = job.row();
		List<Reason> reasons = new ArrayList<>();
		if (isExpired(row, now)) {
			reasons.add(EndReasons.expires(row, now));
		}
		reasons.addAll(WaitReasons.pause(job, operator, now));
		LimitWait limit = this.limits.of(row, now);
		if (limit != null) {
			reasons.add(LimitReasons.of(limit, row, now));
			return reasons;
		}
		if (Boolean.TRUE.equals(row.awaitsTurn)) {
			reasons.add(WaitReasons.turn(job));
			return reasons;
		}
		boolean fetched = isFetched(row, now);
		JobTakers takers = this.takers.of(row, now);
		if (row.workerWaitUntil != null) {
			reasons.add(WaitReasons.version(row, takers, now));
		}
		else {
			reasons.addAll(WaitReasons.workers(row, takers, fetched, now));
		}
		if (fetched) {
			reasons.add(WaitReasons.fetch(job));
			return reasons;
		}
		reasons.addAll(broker(operator, now));
		if (row.workerWaitUntil == null) {
			reasons.add((row.relayAt != null) ? WaitReasons.notPublished(row, now)
					: WaitReasons.atBroker(job, row.publishedAt, now));
		}
		return reasons;
	}

	private static boolean isExpired(JobRow row, Instant now) {
		return row.expiresAt != null && !row.expiresAt.isAfter(now);
	}

	/** Whether workers fetch the job from the store. */
	private boolean isFetched(JobRow row, Instant now) {
		return this.delivery.delivers(row.queue)
				|| (row.relayAt != null && row.workerWaitUntil == null && row.relayAt.isAfter(now.plus(LONGEST_GRACE)));
	}

	private List<Reason> broker(boolean operator, Instant now) {
		return this.broker.trouble()
			.map((trouble) -> List.of(WaitReasons.broker(trouble, operator, now)))
			.orElse(List.of());
	}

}
