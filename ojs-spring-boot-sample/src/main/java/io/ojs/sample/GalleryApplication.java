package io.ojs.sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * A gallery whose photos are processed by jobs.
 */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
@EnableScheduling
public class GalleryApplication {

	private static final Logger logger = LoggerFactory.getLogger(GalleryApplication.class);

	/**
	 * Runs the gallery.
	 * @param args such as {@code --server.port=9090}
	 */
	public static void main(String[] args) {
		SpringApplication.run(GalleryApplication.class, args);
	}

	@EventListener
	void sayWhere(ApplicationReadyEvent event) {
		logger.info("The gallery is open: http://localhost:{}/",
				event.getApplicationContext().getEnvironment().getProperty("local.server.port"));
	}

}
