package io.ojs.benchmark.small.ojs;

import io.ojs.handler.OjsJobHandler;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/** One handler. Writes the time when it is ready. */
@SpringBootApplication(proxyBeanMethods = false)
public class SmallOjsApplication {

	/**
	 * Starts it.
	 * @param args further properties
	 */
	public static void main(String[] args) {
		SpringApplication.run(SmallOjsApplication.class, args);
	}

	@OjsJobHandler(value = "small.run", queue = "small")
	void run(String text) {
		// No job is sent.
	}

	@EventListener
	void ready(ApplicationReadyEvent event) {
		System.out.println("ready " + System.currentTimeMillis());
	}

}
