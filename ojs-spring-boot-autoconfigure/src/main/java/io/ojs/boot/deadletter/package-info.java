/**
 * Auto-configuration of dead letters in the job store.
 */
@NullMarked
package io.ojs.boot.deadletter;

import org.jspecify.annotations.NullMarked;
