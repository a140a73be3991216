package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.deadletter.internal.Recorded;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.event.StoredEvent;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.jdbc.internal.relay.JdbcRelayStore;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobError;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.relay.RelayedJob;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Dead letters to look at and to put back to work.
 */
abstract class DeadLetterContract extends StoreContract {

	static final Instant NOON = Instant.parse("2026-03-15T12:00:00Z");

	static final String ERROR = "java.net.ConnectException";

	final JsonJobCodec codec = new JsonJobCodec();

	final TestClock clock = new TestClock();

	final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	final AtomicInteger wakes = new AtomicInteger();

	final JdbcTemplate jdbc = this.stores.jdbc();

	final JdbcDeadLetterStore store = new JdbcDeadLetterStore(this.stores.database);

	final JobStore jobs = this.stores.jobs;

	final AttemptStore attempts = this.stores.attempts;

	final JdbcRelayStore relay = this.stores.relay;

	final DeadLetters letters = new StoreDeadLetters(this.store, this.stores.transactions,
			new JsonValues(JsonMapper.shared()), this.codec, 1024 * 1024, this.clock, this.wakes::incrementAndGet);

	static <T> List<T> together(int threads, Supplier<T> work) throws Exception {
		List<T> results = new CopyOnWriteArrayList<>();
		Threads.together(threads, (thread) -> results.add(work.get()));
		return results;
	}

	List<Map<String, Object>> rows() {
		List<Map<String, Object>> rows = new ArrayList<>(this.jdbc.queryForList(
				"select id, state, queue, attempt, replays, relay_at, dead_lettered_at, size_bytes from ojs_job "
						+ "order by id"));
		this.stores.events().forEach((event) -> rows.add(Map.of("id", event.id(), "type", event.type())));
		return rows;
	}

	List<String> ids(DeadLetterFilter filter) {
		return this.letters.list(filter, 1000).letters().stream().map((each) -> each.job().id()).toList();
	}

	List<String> events(EncodedJob job) {
		return events(job.job().id());
	}

	List<String> events(String id) {
		return this.stores.events()
			.stream()
			.filter((event) -> event.subject().equals(id))
			.map(StoredEvent::type)
			.toList();
	}

	RelayedJob relayed(EncodedJob job) {
		return relayed(job.job());
	}

	RelayedJob relayed(Job job) {
		return this.relay.take(this.clock.now, this.clock.now.plusSeconds(30), 1000)
			.jobs()
			.stream()
			.filter((each) -> each.encoded().job().id().equals(job.id()))
			.findFirst()
			.orElseThrow();
	}

	Claim.Taken claim(EncodedJob job) {
		return claim(job, job.job().queue());
	}

	Claim.Taken claim(EncodedJob job, String queue) {
		return (Claim.Taken) this.attempts
			.claim(List.of(new ClaimRequest(job, queue, 1, Map.of(), Duration.ofSeconds(30))), "worker", this.clock.now,
					true)
			.get(0);
	}

	EncodedJob insert(EncodedJob job) {
		this.jobs.insert(List.of(new NewJob(job, Map.of(), NOON)));
		return job;
	}

	List<Recorded> record(FoundDeadLetter... found) {
		return this.store.record(List.of(found), this.clock.now);
	}

	String dead(String queue, String type) {
		return dead(queue, type, ERROR);
	}

	String dead(String queue, String type, String error) {
		EncodedJob job = job(queue, type);
		record(new FoundDeadLetter(queue, job, 3, Map.of(), error(3, error), null, "rejected", null));
		return job.job().id();
	}

	/** Dead letters of the queue {@code q}. */
	void many(int count) {
		this.store.record(IntStream.range(0, count).mapToObj((i) -> found(job("q", "a.b"))).toList(), this.clock.now);
	}

	FoundDeadLetter found(EncodedJob job) {
		return new FoundDeadLetter(job.job().queue(), job, 1, Map.of(), error(1), null, "rejected", null);
	}

	JobError error(int attempt) {
		return error(attempt, ERROR);
	}

	JobError error(int attempt, String type) {
		return new JobError(type, JobError.HANDLER_ERROR, "Connection refused", attempt, Rfc3339.utc(NOON), List.of(),
				Map.of());
	}

	EncodedJob job(String queue, String type) {
		return job(queue, type, (builder) -> builder);
	}

	EncodedJob job(String queue, String type, UnaryOperator<JobBuilder> more) {
		Job job = more
			.apply(Job.builder(this.ids.next(), type, queue)
				.args(List.of("user@example.com", 17))
				.state(JobState.AVAILABLE)
				.createdAt(Rfc3339.utc(NOON))
				.enqueuedAt(Rfc3339.utc(NOON)))
			.build();
		return new EncodedJob(job, this.codec.encode(job), 3);
	}

	/** Stands still unless it is set. */
	static final class TestClock extends Clock {

		volatile Instant now = NOON;

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
