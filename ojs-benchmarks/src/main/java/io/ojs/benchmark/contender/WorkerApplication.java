package io.ojs.benchmark.contender;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that works what others enqueue. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WorkerApplication {

	@Bean
	BenchJobs benchJobs() {
		return new BenchJobs();
	}

}
