package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.event.StoredEvent;
import io.ojs.event.internal.JobTransition;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobError;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobState;
import io.ojs.job.UniquePolicy;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * Stores that the engine works on, and jobs to put into them.
 */
abstract class EngineStores {

	/** Set by the class that has the stores. */
	JobStore jobs;

	AttemptStore attempts;

	static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);

	static final Instant LEASE = NOW.plusSeconds(30);

	static final Instant LATER = NOW.plusSeconds(10);

	/** What the store has told listeners. */
	final List<JobEvent> told = new CopyOnWriteArrayList<>();

	/** Hears the same. */
	volatile Consumer<JobEvent> listener = (event) -> {
	};

	final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	public final JsonJobCodec codec = new JsonJobCodec();

	String id() {
		return this.ids.next();
	}

	EncodedJob encoded(UnaryOperator<JobBuilder> fields) {
		return encoded(id(), 3, fields);
	}

	EncodedJob encoded(String id, int maxAttempts, UnaryOperator<JobBuilder> fields) {
		JobBuilder builder = Job.builder(id, "email.send", "mail")
			.args(List.of("ä€😀", 1))
			.state(JobState.AVAILABLE)
			.createdAt(time(NOW))
			.enqueuedAt(time(NOW));
		Job job = fields.apply(builder).build();
		return new EncodedJob(job, this.codec.encode(job), maxAttempts);
	}

	/** A job as a message would have it. */
	EncodedJob encodedAs(Job job) {
		return new EncodedJob(job, this.codec.encode(job), 3);
	}

	static OffsetDateTime time(Instant instant) {
		return Rfc3339.utc(instant);
	}

	static NewJob newJob(EncodedJob encoded, @Nullable Instant relayAt) {
		return new NewJob(encoded, Map.of("x-ojs-trace-id", "abc"), relayAt);
	}

	/** A job that must not meet another one with the same key. */
	EncodedJob unique(String key, UniquePolicy policy, UnaryOperator<JobBuilder> fields) {
		EncodedJob job = encoded((builder) -> fields.apply(builder.unique(policy)));
		return new EncodedJob(job.job(), job.body(), 3, key.repeat(64));
	}

	Insertion insert(EncodedJob job) {
		return this.jobs.insert(List.of(newJob(job, LATER))).get(0);
	}

	/** Keeps an available job. */
	EncodedJob available() {
		return keep(encoded((job) -> job), NOW.plusSeconds(10));
	}

	/** Keeps an available job that has only so many attempts. */
	EncodedJob available(int maxAttempts) {
		return keep(encoded(id(), maxAttempts, (job) -> job), NOW.plusSeconds(10));
	}

	EncodedJob scheduled(Instant dueAt) {
		return keep(encoded((job) -> job.state(JobState.SCHEDULED).scheduledAt(time(dueAt))), dueAt);
	}

	EncodedJob pending() {
		return keep(encoded((job) -> job.state(JobState.PENDING)), null);
	}

	EncodedJob keep(EncodedJob encoded, @Nullable Instant relayAt) {
		this.jobs.insert(List.of(newJob(encoded, relayAt)));
		return encoded;
	}

	/** Of jobs that were inserted or taken together, as notes of them say it. */
	static Map<String, Instant> until(Instant until, Collection<String> ids) {
		return ids.stream().collect(Collectors.toMap(Function.identity(), (id) -> until));
	}

	Claim claim(EncodedJob job) {
		return claim(job, NOW);
	}

	Claim claim(EncodedJob job, Instant now) {
		return this.attempts.claim(List.of(request(job)), "worker-1", now, true).get(0);
	}

	ClaimRequest request(EncodedJob job) {
		return new ClaimRequest(job, job.job().queue(), 1, Map.of("x-ojs-trace-id", "abc"), Duration.ofSeconds(30));
	}

	/** Keeps a job and claims it. */
	Claim.Taken active() {
		return taken(available(), NOW);
	}

	Claim.Taken taken(EncodedJob job, Instant now) {
		return (Claim.Taken) claim(job, now);
	}

	StoredJob find(EncodedJob job) {
		return this.jobs.find(job.job().id()).orElseThrow();
	}

	JobState state(EncodedJob job) {
		JobState state = find(job).job().state();
		if (state == null) {
			throw new IllegalStateException("A stored job has a state.");
		}
		return state;
	}

	final void tell(JobTransition transition) {
		for (JobEvent event : transition.events()) {
			this.told.add(event);
			this.listener.accept(event);
		}
	}

	/** What the store has told listeners of a job. */
	List<String> told(EncodedJob job) {
		return this.told.stream().filter((told) -> told.job().id().equals(job.job().id())).map(JobEvent::name).toList();
	}

	/** The types of what the feed was told of a job. */
	List<String> events(EncodedJob job) {
		return events().stream()
			.filter((event) -> event.subject().equals(job.job().id()))
			.map(StoredEvent::type)
			.toList();
	}

	/** All that the feed was told. */
	abstract List<StoredEvent> events();

	static JobError error(String message) {
		return new JobError("io.ojs.TestException", JobError.HANDLER_ERROR, message, 1, time(NOW), List.of("at home"),
				Map.of("key", "value"));
	}

	abstract void clear();

}
