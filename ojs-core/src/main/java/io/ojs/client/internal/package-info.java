/**
 * From a request to a job that is ready to be sent. Not part of the API.
 */
@NullMarked
package io.ojs.client.internal;

import org.jspecify.annotations.NullMarked;
