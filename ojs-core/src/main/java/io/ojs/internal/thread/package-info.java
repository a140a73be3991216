/**
 * How the library makes, pauses and ends threads.
 */
@NullMarked
package io.ojs.internal.thread;

import org.jspecify.annotations.NullMarked;
