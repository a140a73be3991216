/**
 * Auto-configuration of the Actuator endpoint, health, metrics and traces.
 */
@NullMarked
package io.ojs.boot.actuate;

import org.jspecify.annotations.NullMarked;
