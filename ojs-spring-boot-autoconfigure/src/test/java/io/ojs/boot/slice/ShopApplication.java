package io.ojs.boot.slice;

import java.time.Clock;
import java.time.ZoneId;

import io.ojs.client.OjsOperations;
import io.ojs.handler.JobUpcaster;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

import static org.mockito.Mockito.mock;

/**
 * A shop with jobs, a database, and pages.
 */
@SpringBootApplication(proxyBeanMethods = false)
class ShopApplication {

	@Bean
	Clock shopClock() {
		return Clock.system(ZoneId.of("Europe/Berlin"));
	}

	/** Of another shop. */
	@Bean
	OjsOperations partnerJobs() {
		return mock(OjsOperations.class);
	}

	@Bean
	JobUpcaster orders() {
		return JobUpcaster.of("order.ship", "<2.0", "2.0", (args) -> {
			args.add("DHL");
			return args;
		});
	}

}
