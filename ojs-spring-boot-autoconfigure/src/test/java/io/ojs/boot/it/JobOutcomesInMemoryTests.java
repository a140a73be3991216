package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;

import javax.sql.DataSource;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.client.DuplicateJobException;
import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.internal.JobStore;
import io.ojs.test.assertj.OjsAssertions;
import io.ojs.test.boot.AutoConfigureOjsTest;
import io.ojs.test.jobs.TestJobs;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * In the memory of a test, by its clock.
 */
@SpringBootTest(classes = { Application.Basis.class, OutcomesDesk.class },
		webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureOjsTest
class JobOutcomesInMemoryTests extends JobOutcomesContract {

	@Autowired
	private OjsOperations ojs;

	@Autowired
	private TestJobs jobs;

	@Autowired
	private TransactionTemplate transactions;

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry registry) {
		PROPERTIES.forEach((key, value) -> registry.add(key, () -> value));
	}

	@Test
	void neitherAWorkerNorAStoreIsThere(@Autowired ApplicationContext context) {
		assertThat(context.getBeanNamesForType(JobWorker.class)).isEmpty();
		assertThat(context.getBeanNamesForType(JobStore.class)).isEmpty();
		assertThat(context.getBeanNamesForType(OjsTemplate.class)).isEmpty();
		// Those of the application are.
		assertThat(context.getBeanNamesForType(DataSource.class)).hasSize(1);
	}

	@Test
	void aTestSeesWhatIsEncrypted() {
		this.ojs.enqueue("desk.secret", "sesame");
		OjsAssertions.assertThat(this.ojs).hasEnqueued("desk.secret").withArgs("sesame");
		assertThat(this.jobs.all("desk.secret")).singleElement()
			.satisfies((job) -> assertThat(job.args()).containsExactly("sesame"));
		assertThat(this.jobs.all("desk.add")).isEmpty();
	}

	@Test
	void aUniqueJobStandsInTheWayForItsPeriod() {
		JobRequest request = JobRequest.of("desk.add", 1, 1)
			.unique((unique) -> unique.period(Duration.ofHours(1)).states(JobState.AVAILABLE, JobState.COMPLETED));
		this.ojs.enqueue(request);
		this.jobs.drain();
		this.jobs.clock().advance(Duration.ofMinutes(59));
		assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> this.ojs.enqueue(request));
		this.jobs.clock().advance(Duration.ofMinutes(1));
		assertThat(this.ojs.enqueue(request).state()).isEqualTo(JobState.AVAILABLE);
	}

	@Override
	OjsOperations ojs() {
		return this.ojs;
	}

	@Override
	TransactionTemplate transactions() {
		return this.transactions;
	}

	@Override
	void finish(Job... ended) {
		this.jobs.drainAll();
		for (Job job : ended) {
			assertThat(this.ojs.find(job.id()).orElseThrow().state()).matches((state) -> state.isTerminal());
		}
	}

	@Override
	void pass(Duration duration) {
		this.jobs.clock().advance(duration);
	}

	@Override
	Instant time() {
		return this.jobs.clock().instant();
	}

}
