/**
 * The rules of single fields of a job, and text from outside in messages. Not part of the
 * API. Not part of the API.
 */
@NullMarked
package io.ojs.job.internal;

import org.jspecify.annotations.NullMarked;
