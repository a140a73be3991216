package io.ojs.jdbc.internal.worker;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.fetch.FetchedQueueStore;
import io.ojs.internal.fetch.TakenMessage;
import io.ojs.jdbc.internal.DeletedJobs;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.QueueRefusedException;
import io.ojs.queue.internal.LiveQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the names of queues from which workers fetch in the table
 * {@code ojs_fetched_queue}.
 */
public final class JdbcFetchedQueueStore implements FetchedQueueStore {

	private final StoreDatabase database;

	public JdbcFetchedQueueStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void fetched(Collection<String> queues, Instant now) {
		this.database.writeAlone("note queues that are fetched from", () -> {
			// In one order, so that two transactions cannot deadlock.
			for (String queue : new TreeSet<>(queues)) {
				this.database.dialect()
					.insertUnlessThere(this.database.jdbc(),
							"insert into ojs_fetched_queue (fetched_at, queue) values (?, ?)", Times.utc(now), queue);
				this.database.jdbc()
					.update("update ojs_fetched_queue set fetched_at = ? where queue = ? and fetched_at < ?",
							Times.utc(now), queue, Times.utc(now));
			}
			return queues;
		});
	}

	@Override
	public Map<String, Instant> fetchedSince(Instant since) {
		Map<String, Instant> fetched = new HashMap<>();
		this.database.read("look for queues that are fetched from",
				() -> this.database.jdbc()
					.query("select queue, fetched_at from ojs_fetched_queue where fetched_at >= ?",
							(row, index) -> fetched.put(row.getString("queue"), SqlTimes.instant(row, "fetched_at")),
							Times.utc(since)));
		return fetched;
	}

	@Override
	public void forget(String queue, Instant last) {
		this.database.writeAlone("forget a queue that was fetched from", () -> this.database.jdbc()
			.update("delete from ojs_fetched_queue where queue = ? and fetched_at <= ?", queue, Times.utc(last)));
	}

	@Override
	public void keep(LiveQueue queue, List<TakenMessage> messages, Instant now, Instant relayAt) {
		this.database.write("keep jobs that came by messages", () -> {
			JobRows jobs = this.database.jobs();
			Map<UUID, TakenMessage> byId = new LinkedHashMap<>();
			messages.forEach((message) -> byId.put(UUID.fromString(message.encoded().job().id()), message));
			Map<UUID, JobRow> known = jobs.lock(byId.keySet(), false);
			Map<UUID, @Nullable String> stores = new HashMap<>();
			byId.forEach((id, message) -> stores.put(id, message.store()));
			stores.keySet().removeAll(known.keySet());
			Set<UUID> deleted = new DeletedJobs(this.database).among(stores);
			List<JobRow> created = byId.entrySet()
				.stream()
				.filter((entry) -> !known.containsKey(entry.getKey()) && !deleted.contains(entry.getKey())
						&& !this.database.id().equals(entry.getValue().store())
						&& !entry.getValue().encoded().job().type().equals(JobRules.WEBHOOK_TYPE))
				.map((entry) -> adopted(queue.name(), entry.getValue(), relayAt))
				.toList();
			// A job that another transaction inserts at the same time is left to that
			// transaction.
			Set<UUID> inserted = jobs.insert(created);
			Transitions transitions = this.database.transitions(now);
			created.stream().filter((row) -> inserted.contains(row.id)).forEach((row) -> {
				transitions.inserted(row);
				TakenMessage message = byId.get(row.id);
				queue.refusal(message.encoded().job(), message.producer())
					.ifPresent((refusal) -> transitions.bury(row, refused(refusal, row.attempt, now)));
			});
			this.database.save(transitions);
			List<UUID> waiting = known.values()
				.stream()
				.filter((row) -> row.state == JobState.AVAILABLE && row.queue.equals(queue.name()))
				.map((row) -> row.id)
				.toList();
			jobs.touch("update ojs_job set relay_at = ?, published_at = null where id = any(?)", relayAt, waiting);
			return messages;
		});
	}

	private static JobError refused(QueueRefusedException refusal, int attempt, Instant now) {
		return new JobError(refusal.getClass().getName(), refusal.code(), String.valueOf(refusal.getMessage()), attempt,
				Rfc3339.utc(now), List.of(), Map.of());
	}

	private JobRow adopted(String queue, TakenMessage message, Instant relayAt) {
		JobRow row = this.database.codec().create(message.encoded(), message.headers());
		row.state = JobState.AVAILABLE;
		row.queue = queue;
		// The message names the attempt that is to be made, also if it is the last one.
		row.attempt = Math.min(Math.max(1, message.attempt()), row.maxAttempts) - 1;
		row.relayAt = relayAt;
		return row;
	}

	@Override
	public int release(String queue, Instant now, Instant after) {
		return this.database.write("release jobs to the broker", () -> this.database.jdbc()
			.update("update ojs_job set relay_at = ? where queue = ? and ended_at is null and state = 'available' and relay_at > ?",
					Times.utc(now), queue, Times.utc(after)));
	}

}
