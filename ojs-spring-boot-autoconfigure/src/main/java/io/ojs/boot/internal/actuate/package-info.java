/**
 * The endpoint {@code ojs} and health of Spring Boot Actuator. Not part of the API.
 */
@NullMarked
package io.ojs.boot.internal.actuate;

import org.jspecify.annotations.NullMarked;
