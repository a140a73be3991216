package io.ojs.boot.slice;

import io.ojs.handler.JobUpcaster;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * A shop with jobs, a database, and pages.
 */
@SpringBootApplication(proxyBeanMethods = false)
class ShopApplication {

	@Bean
	JobUpcaster orders() {
		return JobUpcaster.of("order.ship", "<2.0", "2.0", (args) -> {
			args.add("DHL");
			return args;
		});
	}

}
