package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.JobError;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Says what a job waits for that has not ended.
 */
final class WaitReasons {

	private WaitReasons() {
	}

	static Reason of(WaitingStep step, Instant now) {
		String workflow = (step.name() != null) ? "workflow '%s'".formatted(step.name())
				: "workflow %s".formatted(step.workflowId());
		Map<String, @Nullable Object> facts = Words.facts("workflow_id", step.workflowId(), "workflow_name",
				step.name(), "workflow_state", step.state().wireName(), "step", step.step(), "jobs", step.jobs(),
				"ended", step.ended());
		if (step.endedAt() != null) {
			return new Reason("ended", "Its %s is %s since %s, so it does not run.".formatted(workflow,
					step.state().wireName(), Words.time(step.endedAt(), now)), step.endedAt(), null, facts);
		}
		return new Reason("workflow_waits", "Waits as job %d of %s for the jobs before it; %d of %d have ended."
			.formatted(step.step(), workflow, step.ended(), step.jobs()), step.since(), null, facts);
	}

	static Reason scheduled(JobRow row, Instant now) {
		Instant at = row.dueAt;
		String sentence = (at == null || at.isAfter(now))
				? "Is scheduled for %s.".formatted((at != null) ? Words.time(at, now) : "later")
				: "Was scheduled for %s.".formatted(Words.time(at, now));
		return new Reason("scheduled", sentence, row.createdAt, at, Words.facts("scheduled_at", at));
	}

	static Reason retry(JobSituation job, Instant now) {
		JobRow row = job.row();
		JobError error = EndReasons.last(job);
		Instant at = row.dueAt;
		String failed = "Attempt %d of %d failed%s.".formatted(row.attempt, row.maxAttempts,
				(error != null) ? ": " + EndReasons.brief(error) : "");
		String next = (at == null) ? ""
				: " The next one is due %s %s.".formatted(at.isAfter(now) ? "at" : "since", Words.time(at, now));
		return new Reason("retry_waits", failed + next, (error != null) ? error.occurredAt().toInstant() : null, at,
				Words.facts("attempt", row.attempt, "max_attempts", row.maxAttempts, "next_attempt_at", at, "error",
						EndReasons.told(error)));
	}

	static List<Reason> pause(JobSituation job, boolean operator, Instant now) {
		JobSituation.Pause pause = job.pause();
		if (pause == null) {
			return List.of();
		}
		String by = operator ? pause.by() : null;
		return List.of(new Reason("queue_paused",
				"Queue '%s' is paused%s since %s.".formatted(job.row().queue, (by != null) ? " by " + by : "",
						Words.time(pause.since(), now)),
				pause.since(), null, Words.facts("queue", job.row().queue, "by", by)));
	}

	static Reason turn(JobSituation job) {
		JobRow row = job.row();
		return new Reason("tenant_turn",
				"Waits for the turn of tenant '%s' in queue '%s'%s.".formatted(row.tenant, row.queue,
						ahead(job, "of the tenant")),
				row.enqueuedAt, null, Words.facts("tenant", row.tenant, "queue", row.queue, "before", before(job)));
	}

	private static @Nullable Integer before(JobSituation job) {
		return (job.before() >= 0) ? (Integer) Math.min(job.before(), InspectionStore.COUNTED) : null;
	}

	static Reason version(JobRow row, JobTakers takers, Instant now) {
		String what = "version %s of '%s' from queue '%s'".formatted(row.version(), row.type, row.queue);
		String sentence = (takers.ofVersion() > 0)
				? "The process that received it does not take %s; another one does".formatted(what)
				: "No process takes %s".formatted(what);
		String again = (row.relayAt != null) ? "; it is published again at %s, or earlier if such a process starts"
			.formatted(Words.time(row.relayAt, now)) : "";
		return new Reason("no_version", sentence + again + ".", row.workerWaitSince, row.workerWaitUntil,
				Words.facts("queue", row.queue, "type", row.type, "version", String.valueOf(row.version()),
						"takers_of_version", takers.ofVersion(), "takers_of_queue", takers.ofQueue()));
	}

	/**
	 * Says that no process takes the job.
	 * @param fetched whether workers fetch the job; processes that get it from the broker
	 * also get jobs of types that they do not know, which fail
	 */
	static List<Reason> workers(JobRow row, JobTakers takers, boolean fetched, Instant now) {
		Map<String, @Nullable Object> facts = Words.facts("queue", row.queue, "type", row.type, "takers_of_queue",
				takers.ofQueue(), "last_fetch_at", takers.lastFetch());
		if (takers.ofQueue() == 0) {
			String last = (fetched && takers.lastFetch() != null)
					? "; the last worker fetched at %s".formatted(Words.time(takers.lastFetch(), now)) : "";
			return List
				.of(new Reason("no_worker", "No process or HTTP worker takes queue '%s'%s.".formatted(row.queue, last),
						takers.lastFetch(), null, facts));
		}
		if (fetched && takers.ofType() == 0) {
			return List.of(new Reason("no_worker",
					"No process or HTTP worker takes type '%s' from queue '%s'.".formatted(row.type, row.queue), null,
					null, facts));
		}
		if (fetched && takers.ofVersion() == 0) {
			return List
				.of(new Reason("no_version", "No process or HTTP worker takes version %s of '%s' from queue '%s'."
					.formatted(row.version(), row.type, row.queue), null, null, facts));
		}
		return List.of();
	}

	static Reason fetch(JobSituation job) {
		JobRow row = job.row();
		return new Reason("awaits_fetch",
				"Waits for a worker that fetches from queue '%s'%s.".formatted(row.queue, ahead(job, "of the queue")),
				row.enqueuedAt, null, Words.facts("queue", row.queue, "before", before(job)));
	}

	static Reason notPublished(JobRow row, Instant now) {
		Instant at = Objects.requireNonNull(row.relayAt);
		String sentence = at.isAfter(now)
				? "RabbitMQ has not confirmed the job's message yet. If it does not, the relay publishes the message at %s."
				: "RabbitMQ has not confirmed the job's message, and the relay is late: it was to publish the message at %s.";
		return new Reason("not_published", sentence.formatted(Words.time(at, now)), row.enqueuedAt, at,
				Words.facts("queue", row.queue, "relay_at", at));
	}

	static Reason atBroker(JobSituation job, @Nullable Instant since, Instant now) {
		JobRow row = job.row();
		return new Reason("at_broker",
				"RabbitMQ has its message%s%s.".formatted((since != null) ? " since " + Words.time(since, now) : "",
						ahead(job, "of the queue")),
				since, null, Words.facts("queue", row.queue, "published_at", row.publishedAt, "before", before(job)));
	}

	private static String ahead(JobSituation job, String which) {
		return (job.before() >= 0) ? "; %s before it".formatted(Words.jobsAre(job.before(), which)) : "";
	}

	static Reason broker(BrokerSight.Trouble trouble, boolean operator, Instant now) {
		String since = (trouble.since() != null) ? " since " + Words.time(trouble.since(), now) : "";
		String reason = operator ? trouble.reason() : null;
		String why = (reason != null) ? " (%s)".formatted(ForeignText.escape(reason, 200)) : "";
		return trouble.blocked()
				? new Reason("broker_blocked", "RabbitMQ takes no messages of this process%s%s.".formatted(since, why),
						trouble.since(), null, Words.facts("reason", reason))
				: new Reason("broker_down", "This process is not connected to RabbitMQ%s%s.".formatted(since, why),
						trouble.since(), null, Words.facts("reason", reason));
	}

}
