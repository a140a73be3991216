package io.ojs.boot.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;

/**
 * Matches if the application has the HTTP API of jobs: the configuration of a feature has
 * its endpoints under this condition. Names classes by text: Spring ignores a composed
 * annotation whose classes it cannot load.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnClass(
		name = { "io.ojs.web.internal.OjsRequestHandler", "org.springframework.web.servlet.HandlerMapping" })
@ConditionalOnBooleanProperty(name = "ojs.http.enabled")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public @interface ConditionalOnHttpApi {

}
