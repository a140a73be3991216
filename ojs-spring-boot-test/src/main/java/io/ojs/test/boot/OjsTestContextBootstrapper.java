package io.ojs.test.boot;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/**
 * Finds the application and the properties of a test with {@link OjsTest}.
 */
final class OjsTestContextBootstrapper extends TestSliceTestContextBootstrapper<OjsTest> {

}
