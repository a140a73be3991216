package io.ojs.amqp.internal.observe;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import com.rabbitmq.client.Channel;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ojs.amqp.internal.message.Purpose;
import io.ojs.event.JobEvent;
import io.ojs.job.Job;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A producer that names any number of queues and types does not make any number of
 * meters.
 */
class MeterNamesTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void queuesBeyondTheLimitAreCountedTogether() {
		MicrometerAmqpMetrics metrics = metrics("late");
		for (int i = 0; i < 1000; i++) {
			metrics.published("q" + i, Purpose.JOB);
			metrics.returned("q" + i);
		}
		metrics.published("late", Purpose.RETRY);
		assertThat(queues("ojs.amqp.messages.published")).hasSize(MicrometerAmqpMetrics.MAX_QUEUES + 1)
			.contains("late", "q0", "other");
		assertThat(count("ojs.amqp.messages.published", "queue", "other")).isEqualTo(801);
		assertThat(count("ojs.amqp.messages.returned", "queue", "other")).isEqualTo(801);
		assertThat(count("ojs.amqp.messages.published", "queue", "late", "purpose", "retry")).isEqualTo(1);
	}

	@Test
	void queueThatIsWorkedHasItsOwnMetersWhateverElseThereIs() {
		MicrometerAmqpMetrics metrics = metrics();
		for (int i = 0; i < 1000; i++) {
			metrics.published("q" + i, Purpose.JOB);
		}
		ConsumerMetrics consumers = metrics.consumers("email", 2);
		consumers.begin(1, openChannel());
		consumers.acked();
		assertThat(count("ojs.amqp.messages.consumed", "queue", "email")).isEqualTo(1);
		assertThat(count("ojs.amqp.messages.acked", "queue", "email")).isEqualTo(1);
		assertThat(this.registry.get("ojs.amqp.messages.unacked").tag("consumer", "email#1").gauge().value())
			.isEqualTo(1);
		consumers.end(1);
		assertThat(this.registry.get("ojs.amqp.messages.unacked").tag("consumer", "email#1").gauge().value()).isZero();
	}

	@Test
	void consumersThatStartAgainGoOnWithTheSameMeters() {
		MicrometerAmqpMetrics metrics = metrics();
		metrics.consumers("email", 2).acked();
		metrics.consumers("email", 3).acked();
		assertThat(count("ojs.amqp.messages.acked", "queue", "email")).isEqualTo(2);
		assertThat(this.registry.get("ojs.amqp.messages.unacked").gauges()).hasSize(3);
	}

	@Test
	void typesThatOnlyMessagesBringAreOther() {
		MicrometerJobMetrics jobs = new MicrometerJobMetrics(this.registry, List.of("email"), List.of("email.send"));
		jobs.onEvent(new JobEvent.Enqueued(job("report.render", "reports"), false));
		jobs.onEvent(new JobEvent.Completed(job("email.send", "email"), 1, 3, Duration.ofSeconds(2), null));
		jobs.onEvent(new JobEvent.Completed(job("foreign.type", "foreign"), 1, 3, Duration.ofSeconds(2), null));
		assertThat(count("ojs.job.enqueued", "type", "report.render", "queue", "reports")).isEqualTo(1);
		assertThat(count("ojs.job.completed", "type", "email.send", "queue", "email")).isEqualTo(1);
		assertThat(count("ojs.job.completed", "type", "other", "queue", "other")).isEqualTo(1);
	}

	@Test
	void scheduledJobsAreCountedOnceWhenTheyAreScheduled() {
		MicrometerJobMetrics jobs = new MicrometerJobMetrics(this.registry, List.of("email"), List.of("email.send"));
		Job scheduled = job("email.send", "email");
		jobs.onEvent(new JobEvent.Scheduled(scheduled, false));
		assertThat(count("ojs.job.enqueued", "type", "email.send", "queue", "email")).isEqualTo(1);
		jobs.onEvent(new JobEvent.Enqueued(scheduled, true));
		jobs.onEvent(new JobEvent.Scheduled(scheduled, true));
		assertThat(count("ojs.job.enqueued", "type", "email.send", "queue", "email")).isEqualTo(1);
		jobs.onEvent(new JobEvent.Enqueued(scheduled, false));
		assertThat(count("ojs.job.enqueued", "type", "email.send", "queue", "email")).isEqualTo(2);
	}

	private MicrometerAmqpMetrics metrics(String... known) {
		return new MicrometerAmqpMetrics(this.registry,
				new ConnectionWatch(new CachingConnectionFactory("localhost", 1), Clock.systemUTC()), List.of(known));
	}

	private static Channel openChannel() {
		return (Channel) Proxy.newProxyInstance(Channel.class.getClassLoader(), new Class<?>[] { Channel.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "isOpen" -> true;
					case "hashCode" -> 1;
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

	private static Job job(String type, String queue) {
		return Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", type, queue).build();
	}

	private Set<String> queues(String meter) {
		return this.registry.get(meter)
			.meters()
			.stream()
			.map(Meter::getId)
			.map((id) -> id.getTag("queue"))
			.collect(Collectors.toSet());
	}

	private double count(String meter, String... tags) {
		return this.registry.get(meter).tags(tags).counters().stream().mapToDouble((counter) -> counter.count()).sum();
	}

}
