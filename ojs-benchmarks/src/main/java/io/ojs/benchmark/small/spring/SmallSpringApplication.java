package io.ojs.benchmark.small.spring;

import java.util.Map;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** One listener. Writes the time when it is ready. */
@SpringBootApplication(proxyBeanMethods = false)
public class SmallSpringApplication {

	/**
	 * Starts it.
	 * @param args further properties
	 */
	public static void main(String[] args) {
		SpringApplication.run(SmallSpringApplication.class, args);
	}

	@Bean
	Queue small(@Value("${small.queue-type}") String type) {
		return new Queue("ojs.queue.small", true, false, false, Map.of("x-queue-type", type));
	}

	@RabbitListener(queues = "ojs.queue.small")
	void run(String text) {
		// No message is sent.
	}

	@EventListener
	void ready(ApplicationReadyEvent event) {
		System.out.println("ready " + System.currentTimeMillis());
	}

}
