package io.ojs.boot.slice;

import java.util.List;
import java.util.Map;

import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.boot.OjsTest;
import io.ojs.test.jobs.JobFailedInlineException;
import io.ojs.test.jobs.TestJobs;
import io.ojs.test.jobs.TestMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

import static io.ojs.test.assertj.OjsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs that run as they are enqueued: those of some classes, for a service of the
 * application.
 */
@OjsTest(value = { Shop.Mails.class, Shop.Shipping.class }, mode = TestMode.INLINE)
@Import(Shop.Stock.class)
class InlineSliceTests {

	@Autowired
	private OjsOperations ojs;

	@Autowired
	private TestJobs jobs;

	@Autowired
	private Shop.Mails mails;

	@BeforeEach
	void clear() {
		this.mails.sent.clear();
	}

	@Test
	void onlyTheseClassesAreLoaded(@Autowired ApplicationContext context) {
		assertThat(context.getBeanNamesForType(Shop.Diary.class)).isEmpty();
		assertThat(context.getBeanNamesForType(Shop.Locale.class)).hasSize(1);
	}

	@Test
	void theJobHasRunWhenEnqueueReturns(@Autowired Shop.Stock stock) {
		stock.order("42");
		assertThat(this.jobs.all()).singleElement().extracting(Job::result).isEqualTo("42 by DHL");
		this.ojs.enqueue("user.signed-up", "ada");
		assertThat(this.mails.sent).containsExactly("ada welcome");
		assertThat(this.ojs).hasEnqueued("email.send").inState(JobState.SCHEDULED).times(1);
		assertThat(this.jobs.drainAll()).hasCompleted("email.send");
	}

	@Test
	void whoEnqueuesHasTheFailureOfTheHandler() {
		assertThatExceptionOfType(JobFailedInlineException.class)
			.isThrownBy(() -> this.ojs.enqueue("email.send", "nobody", Map.of()))
			.withCauseInstanceOf(IllegalArgumentException.class)
			.withMessageContaining("is retryable now: java.lang.IllegalArgumentException: There is no nobody")
			.satisfies((ex) -> assertThat(ex.job().attempt()).isEqualTo(1));
		assertThat(this.jobs.drainAll().deadLettered()).hasSize(1);
		assertThatExceptionOfType(JobFailedInlineException.class)
			.isThrownBy(() -> this.ojs.enqueueAll(List.of(JobRequest.of("email.send", "nobody", Map.of()),
					JobRequest.of("email.send", "ada", Map.of("template", "welcome")),
					JobRequest.of("email.send", "nobody else", Map.of()))))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasSize(1));
		assertThat(this.mails.sent).containsExactly("ada welcome");
		assertThat(this.ojs.enqueueAsync("email.send", "nobody", Map.of())).isCompletedExceptionally();
	}

	@Test
	void jobsThatEnqueueEachOtherForEverEndTheTest() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.ojs.enqueue("again.and-again"))
			.withMessageContaining("50 jobs have enqueued one another");
		this.ojs.enqueue("email.send", "ada", Map.of());
		assertThat(this.mails.sent).hasSize(1);
	}

}
