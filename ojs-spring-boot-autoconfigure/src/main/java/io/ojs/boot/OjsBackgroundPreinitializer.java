package io.ojs.boot;

import java.util.Map;

import com.rabbitmq.client.ConnectionFactory;
import io.ojs.internal.json.JsonObjects;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

/**
 * Loads slow classes while the application context is being prepared. Spring Boot calls
 * it on a separate thread if there is a second processor.
 */
final class OjsBackgroundPreinitializer implements BackgroundPreinitializer {

	@Override
	public void preinitialize() {
		JsonObjects json = new JsonObjects();
		json.read(json.write(Map.of("args", "[]")));
		new ConnectionFactory();
	}

}
