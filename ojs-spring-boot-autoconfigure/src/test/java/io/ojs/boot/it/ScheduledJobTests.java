package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.rabbitmq.client.GetResponse;
import io.ojs.client.UnsupportedJobException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.broker.RabbitBroker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Jobs that are due later, with nothing but a broker.
 */
@Tag("broker-versions")
@Tag("AMQP-022")
class ScheduledJobTests extends BrokerTest {

	@Test
	@Tag("AMQP-022")
	void jobsRunWhenTheyAreDueWhateverWasEnqueuedBeforeThem() {
		try (Application application = application(Alarms.class).start()) {
			Instant now = Instant.now();
			List<Job> jobs = application.ojs()
				.enqueueAll(List.of(alarm(now.plus(Duration.ofDays(1))), alarm(now.plusSeconds(5)),
						alarm(now.plusMillis(3300)), alarm(now.plusSeconds(1)), alarm(now.plusSeconds(2)),
						alarm(now.minusSeconds(60)), alarm(now.plusMillis(20))));
			assertThat(jobs.get(0).state()).isEqualTo(JobState.SCHEDULED);
			assertThat(jobs.get(5).state()).isEqualTo(JobState.AVAILABLE);
			Map<String, Instant> rang = application.bean(Alarms.class).rang;
			List<Job> soon = jobs.subList(1, jobs.size());
			await().atMost(Duration.ofMinutes(2)).until(() -> rang.size() >= soon.size());
			assertThat(rang).as("all but the one that is due tomorrow").doesNotContainKey(jobs.get(0).id());
			for (Job job : soon) {
				assertThat(rang.get(job.id())).isAfterOrEqualTo(job.scheduledAt().toInstant());
			}
		}
	}

	@Test
	void oneQueuesJobsDoNotComeOutOfAnotherWhoseNameEndsOrBeginsAlike() {
		try (Application application = application().start()) {
			List<String> queues = List.of("mail", "bulk.mail", "mail.bulk", "bulk");
			application.ojs()
				.enqueueAll(queues.stream()
					.map((queue) -> JobRequest.of("alarm.ring", queue)
						.queue(queue)
						.scheduledAt(Instant.now().plusMillis(900)))
					.toList());
			for (String queue : queues) {
				GetResponse message = client().take("ojs.queue." + queue);
				assertThat(RawClient.headers(message)).containsEntry("x-ojs-queue", queue)
					.containsKey("x-ojs-scheduled-at");
				assertThat(client().count("ojs.queue." + queue)).isZero();
			}
		}
	}

	@Test
	void jobMayBeDueInNinetyDaysButNotLaterThanTheBrokerCanKeepIt() {
		try (Application application = application().start()) {
			application.ojs().enqueue(JobRequest.of("alarm.ring").scheduledAt(Instant.now().plus(Duration.ofDays(90))));
			assertThat(client().count("ojs.queue.delay.22")).isEqualTo(1);
			Duration tooLong = RabbitBroker.shared().isAtLeast(3, 11) ? Duration.ofDays(3200) : Duration.ofDays(98);
			assertThatExceptionOfType(UnsupportedJobException.class)
				.isThrownBy(() -> application.ojs()
					.enqueueAll(List.of(JobRequest.of("alarm.ring"),
							JobRequest.of("alarm.ring").scheduledAt(Instant.now().plus(tooLong)))))
				.withMessageContaining("scheduled_at")
				.withMessageContaining("days");
			assertThat(client().count("ojs.queue.default")).isZero();
		}
	}

	private static JobRequest alarm(Instant time) {
		return JobRequest.of("alarm.ring").scheduledAt(time);
	}

	static class Alarms {

		private final Map<String, Instant> rang = new ConcurrentHashMap<>();

		@OjsJobHandler("alarm.ring")
		void ring(Job job) {
			this.rang.put(job.id(), Instant.now());
		}

	}

}
