/**
 * Processes: running applications that work or serve jobs.
 */
@NullMarked
package io.ojs.internal.process;

import org.jspecify.annotations.NullMarked;
