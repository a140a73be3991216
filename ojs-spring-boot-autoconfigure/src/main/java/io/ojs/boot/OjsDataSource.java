package io.ojs.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the data source of the job store, and its transaction manager, in an application
 * with several. Declare them with {@code @Bean(defaultCandidate = false)}, so that no
 * other bean uses them. If only the data source is marked, the library creates a
 * transaction manager for jobs alone; jobs are then not part of the application's
 * transactions.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface OjsDataSource {

}
