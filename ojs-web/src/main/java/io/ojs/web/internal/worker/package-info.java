/**
 * Endpoints of workers that fetch jobs. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.worker;

import org.jspecify.annotations.NullMarked;
