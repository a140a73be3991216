/**
 * Workers that fetch jobs over HTTP (OJS Worker Protocol): their heartbeats, their runs,
 * and the outcomes of these. Not part of the API.
 */
@NullMarked
package io.ojs.internal.worker;

import org.jspecify.annotations.NullMarked;
