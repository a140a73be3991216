package io.ojs.boot.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/**
 * Matches if the application has the HTTP API of jobs: the configuration of a feature has
 * its endpoints under this condition, and comes after that of the API. Names a class by
 * text: Spring ignores a composed annotation whose classes it cannot load.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBean(type = "io.ojs.web.internal.OjsRequestHandler")
public @interface ConditionalOnHttpApi {

}
