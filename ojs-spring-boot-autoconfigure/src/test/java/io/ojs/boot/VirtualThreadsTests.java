package io.ojs.boot;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.ojs.amqp.JobListenerContainerCustomizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/**
 * Jobs run on virtual threads where the application asked Boot for them, and Java has
 * them.
 */
class VirtualThreadsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
				OjsWorkerAutoConfiguration.class))
		.withBean(ConnectionFactory.class, () -> new CachingConnectionFactory("localhost", 1));

	@Test
	void areNotUsedUnasked() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(JobListenerContainerCustomizer.class));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void areUsedWhenAskedFor() {
		this.runner.withPropertyValues("spring.threads.virtual.enabled=true").run((context) -> {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
			context.getBean(JobListenerContainerCustomizer.class).customize("email", container);
			Executor executor = assertThat(container).extracting("taskExecutor")
				.asInstanceOf(type(SimpleAsyncTaskExecutor.class))
				.actual();
			// On the thread itself: one that has ended has no group.
			String thread = CompletableFuture
				.supplyAsync(() -> Thread.currentThread().getThreadGroup().getName() + " "
						+ Thread.currentThread().getName(), executor)
				.get(30, TimeUnit.SECONDS);
			assertThat(thread).startsWith("VirtualThreads ojs-email-");
		});
	}

}
