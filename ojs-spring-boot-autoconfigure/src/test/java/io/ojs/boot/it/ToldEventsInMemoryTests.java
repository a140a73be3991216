package io.ojs.boot.it;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.client.OjsOperations;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.job.Job;
import io.ojs.test.boot.AutoConfigureOjsTest;
import io.ojs.test.jobs.TestJobs;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * In the memory of a test.
 */
@SpringBootTest(
		classes = { Application.Basis.class, ToldEventsContract.Desk.class, ToldEventsInMemoryTests.Listener.class },
		webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureOjsTest
class ToldEventsInMemoryTests extends ToldEventsContract implements ToldEventsContract.Way {

	@Autowired
	private OjsOperations ojs;

	@Autowired
	private TestJobs jobs;

	@Autowired
	private Listener listener;

	@DynamicPropertySource
	static void configure(DynamicPropertyRegistry registry) {
		properties((key, value) -> registry.add(key, () -> value));
	}

	@BeforeEach
	void clear() {
		this.listener.told.clear();
	}

	@Override
	Way way() {
		return this;
	}

	@Override
	public OjsOperations ojs() {
		return this.ojs;
	}

	@Override
	public Instant now() {
		return this.jobs.clock().instant();
	}

	@Override
	public void work(Job job, int events) {
		this.jobs.drainAll();
	}

	@Override
	public List<String> told(String jobId) {
		return this.listener.told.stream()
			.filter((event) -> event.job().id().equals(jobId))
			.map((event) -> event.name().substring("job.".length()))
			.toList();
	}

	/**
	 * Notes what is told.
	 */
	static class Listener implements JobEventListener {

		private final List<JobEvent> told = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(JobEvent event) {
			this.told.add(event);
		}

	}

}
