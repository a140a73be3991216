/**
 * Integration with Spring Boot Actuator: the endpoint {@code ojs} and the health of jobs.
 */
@NullMarked
package io.ojs.boot.actuate;

import org.jspecify.annotations.NullMarked;
