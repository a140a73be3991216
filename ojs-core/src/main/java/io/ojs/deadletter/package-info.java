/**
 * Dead letters in the job store: list, replay and delete them (OJS Dead Letter).
 */
@NullMarked
package io.ojs.deadletter;

import org.jspecify.annotations.NullMarked;
