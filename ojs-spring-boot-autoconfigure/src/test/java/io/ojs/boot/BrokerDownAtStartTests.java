package io.ojs.boot;

import java.time.Duration;

import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.client.OjsOperations;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeout;

/**
 * An application starts, and stops, without its broker: it says so, works what it can,
 * and has everything declared once the broker is there.
 */
@ExtendWith(OutputCaptureExtension.class)
class BrokerDownAtStartTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.queues.bulk.concurrency=2")
		.withBean(Handlers.class);

	@Test
	void applicationStartsAndSaysWhichQueuesWillBeDeclaredLater(CapturedOutput output) {
		assertTimeout(Duration.ofSeconds(20), () -> this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(JobWorker.class).isRunning()).isTrue();
			assertThat(context.getBean(JobWorker.class).queues()).containsExactly("email", "report");
			assertThat(output).containsOnlyOnce("The broker cannot be reached yet")
				.containsPattern("queues \\[[^]]*bulk")
				.containsPattern("queues \\[[^]]*email")
				.containsPattern("queues \\[[^]]*report")
				.contains("connection to the broker at localhost:1 could not be opened", "Connection refused",
						"spring.rabbitmq.port");
		}));
	}

	@Test
	void everyAddressIsNamed(CapturedOutput output) {
		this.runner.withPropertyValues("spring.rabbitmq.addresses=amqp://user:secret@localhost:1,127.0.0.1:2")
			.run((context) -> assertThat(output)
				.contains("connection to the broker at localhost:1, 127.0.0.1:2 could not be opened")
				.doesNotContain("secret"));
	}

	@Test
	void applicationThatDeclaresLazilySaysNothing(CapturedOutput output) {
		this.runner.withPropertyValues("ojs.topology.declaration=lazy", "ojs.worker.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("The broker cannot be reached yet");
		});
	}

	@Test
	void jobIsNotEnqueuedAndTheCallerKnowsThatItWasNotSent() {
		this.runner.run((context) -> {
			OjsOperations ojs = context.getBean(OjsOperations.class);
			assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> ojs.enqueue("email.send"))
				.withMessageContainingAll("'email'", "Connection refused", "It was not sent.")
				.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse())
				.satisfies((ex) -> assertThat(ex.job().type()).isEqualTo("email.send"));
			assertThat(ojs.enqueueAsync(JobRequest.of("email.send"))).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(BrokerUnavailableException.class);
		});
	}

	static class Handlers {

		@OjsJobHandler(value = "email.send", queue = "email")
		void send() {
		}

		@OjsJobHandler(value = "report.run", queue = "report")
		void run() {
		}

	}

}
