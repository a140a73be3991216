/**
 * The command {@code ojs-replay}, which puts dead letters back to work.
 */
@NullMarked
package io.ojs.replay;

import org.jspecify.annotations.NullMarked;
