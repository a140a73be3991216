package io.ojs.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the data source of the job store, and its transaction manager, in an application
 * with more than one. Declare them with {@code @Bean(defaultCandidate = false)}, so that
 * nothing else takes them. Without a transaction manager that is marked, one is made that
 * is only for jobs; they are then part of no transaction of the application's.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface OjsDataSource {

}
