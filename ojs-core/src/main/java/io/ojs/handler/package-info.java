/**
 * The code that works a job: handlers, their arguments and what they can learn and say.
 */
@NullMarked
package io.ojs.handler;

import org.jspecify.annotations.NullMarked;
