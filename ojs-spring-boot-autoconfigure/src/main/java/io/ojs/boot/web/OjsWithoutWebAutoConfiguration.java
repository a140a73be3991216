package io.ojs.boot.web;

import io.ojs.boot.InvalidConfigurationException;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;

/**
 * Stops an application that enables the OJS HTTP API without Spring MVC. Otherwise
 * callers would find that the API does not answer.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "ojs.http.enabled")
@ConditionalOnMissingClass("org.springframework.web.servlet.HandlerMapping")
public final class OjsWithoutWebAutoConfiguration {

	OjsWithoutWebAutoConfiguration() {
		throw new InvalidConfigurationException("ojs.http.enabled", true,
				"needs Spring MVC, which is not on the class path", "Add spring-boot-starter-webmvc, or remove it.");
	}

}
