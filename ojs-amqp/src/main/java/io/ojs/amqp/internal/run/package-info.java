/**
 * The jobs that this process runs, and how a run is interrupted. Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.run;

import org.jspecify.annotations.NullMarked;
