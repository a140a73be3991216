package io.ojs.client.internal;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.trace.JobSpan;
import io.ojs.internal.trace.JobTracing;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.JobRejectedException;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.middleware.internal.OrderedMiddleware;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Spans around all that comes before sending, and what becomes of those that are dropped.
 */
class EnqueuerTests {

	private final List<String> log = new ArrayList<>();

	private final List<Job> sent = new ArrayList<>();

	private final Enqueuer enqueuer = new Enqueuer(factory(), new Spans(), new Sending());

	private JobFactory factory() {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		chain.add("mine", (job) -> {
			this.log.add("mine " + job.type());
			if (job.type().equals("to.refuse")) {
				throw new JobRejectedException("not wanted");
			}
			return job.type().equals("to.drop") ? null : job.toBuilder().queue("mine").build();
		});
		JobHandlers handlers = new JobHandlers(List.of());
		return new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), new JsonJobCodec(), Clock.systemUTC(),
				JobFactory.DEFAULT_MAX_ENVELOPE_BYTES)
			.middleware(new EnqueueChain(chain));
	}

	@Test
	@Tag("EI-012")
	void theSpanIsAroundEverything() {
		this.enqueuer.enqueue(JobRequest.of("a.b").queue("first"));
		assertThat(this.log).containsExactly("begin a.b", "in", "mine a.b", "out", "about mine", "sent", "close");
	}

	@Test
	void aRefusalIsPartOfTheSpan() {
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> this.enqueuer.enqueue(JobRequest.of("to.refuse")));
		assertThat(this.log).containsExactly("begin to.refuse", "in", "mine to.refuse", "out", "failed: not wanted",
				"close");
		this.log.clear();
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.enqueuer.enqueueAsync(JobRequest.of("No Type")));
		assertThat(this.log).hasSize(5).startsWith("begin No Type", "in", "out").endsWith("close");
		assertThat(this.sent).isEmpty();
	}

	@Test
	void aBadOneStopsThemAllBeforeAnyIsSent() {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> this.enqueuer
			.enqueueAll(List.of(JobRequest.of("a.b"), JobRequest.of("to.refuse"), JobRequest.of("c.d"))));
		assertThat(this.sent).isEmpty();
		assertThat(this.log).doesNotContain("begin c.d");
		assertThat(this.log.stream().filter("close"::equals)).hasSize(2);
		assertThat(this.log.stream().filter("failed: not wanted"::equals)).hasSize(2);
	}

	@Test
	void whoIsDroppedIsNotSentAndNothingFails() throws Exception {
		Job dropped = this.enqueuer.enqueue(JobRequest.of("to.drop", 1));
		assertThat(dropped.state()).isNull();
		assertThat(dropped.args()).containsExactly(1);
		assertThat(this.enqueuer.enqueueAsync(JobRequest.of("to.drop")).get().state()).isNull();
		assertThat(this.sent).isEmpty();
		assertThat(this.log).contains("close").noneMatch((line) -> line.startsWith("failed"));
	}

	@Test
	void droppedOnesKeepTheirPlacesInABatch() {
		List<Job> jobs = this.enqueuer.enqueueAll(List.of(JobRequest.of("to.drop"), JobRequest.of("a.a"),
				JobRequest.of("to.drop"), JobRequest.of("to.drop"), JobRequest.of("b.b")));
		assertThat(jobs).extracting(Job::type).containsExactly("to.drop", "a.a", "to.drop", "to.drop", "b.b");
		assertThat(jobs).extracting((job) -> job.state() == null).containsExactly(true, false, true, true, false);
		assertThat(this.sent).extracting(Job::type).containsExactly("a.a", "b.b");
		assertThat(this.enqueuer.enqueueAll(List.of(JobRequest.of("to.drop")))).hasSize(1);
		assertThat(this.enqueuer.enqueueAll(List.of())).isEmpty();
	}

	@Test
	void whatWasKeptPassesTheSpanAndNothingElse() {
		this.enqueuer.enqueueAgain(List.of(JobRequest.of("to.drop")));
		assertThat(this.log).containsExactly("begin to.drop", "in", "out", "about default", "sent", "close");
	}

	private final class Spans implements JobTracing {

		@Override
		public JobSpan enqueue(String type) {
			EnqueuerTests.this.log.add("begin " + type);
			return new Telling();
		}

		@Override
		public JobSpan process(Job job, String queue, int attempt, Map<String, ?> headers) {
			throw new UnsupportedOperationException();
		}

	}

	private final class Telling implements JobSpan {

		@Override
		public void about(Job job) {
			EnqueuerTests.this.log.add("about " + job.queue());
		}

		@Override
		public Scope current() {
			EnqueuerTests.this.log.add("in");
			return () -> EnqueuerTests.this.log.add("out");
		}

		@Override
		public Map<String, String> headers() {
			return Map.of();
		}

		@Override
		public void failed(Throwable error) {
			EnqueuerTests.this.log.add("failed: " + error.getMessage());
		}

		@Override
		public void close() {
			EnqueuerTests.this.log.add("close");
		}

	}

	private final class Sending implements EnqueueStrategy {

		@Override
		public Job enqueue(TracedJob job) {
			EnqueuerTests.this.log.add("sent");
			EnqueuerTests.this.sent.add(job.encoded().job());
			job.span().close();
			return job.encoded().job();
		}

		@Override
		public List<Job> enqueueAll(List<TracedJob> jobs) {
			assertThat(jobs).isNotEmpty();
			return jobs.stream().map(this::enqueue).toList();
		}

		@Override
		public CompletableFuture<Job> enqueueAsync(TracedJob job) {
			return CompletableFuture.completedFuture(enqueue(job));
		}

	}

}
