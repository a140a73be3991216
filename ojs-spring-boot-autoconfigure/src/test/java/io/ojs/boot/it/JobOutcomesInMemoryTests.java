package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;

import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.test.boot.AutoConfigureOjsTest;
import io.ojs.test.jobs.TestJobs;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

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
